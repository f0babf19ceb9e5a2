// Whether an address that was made of an id is another operation's: a file called `tags` lies where the list of all tags
// is. Pure; routes are compared part by part.
import type { Route } from '../../protocol/operations/operation.ts';

/** The operation of `all` that would be called in the place of `route`, if the address is its own. */
export function collidingOperation(
  route: Route,
  target: string,
  all: Record<string, Route>,
): string | undefined {
  const [method, template = ''] = route.split(' ');
  const [path = ''] = target.split('?');
  const own = template.split('/');
  const parts = path.split('/');
  const found = Object.entries(all).find(([, other]) => {
    const [otherMethod, otherTemplate = ''] = other.split(' ');
    const theirs = otherTemplate.split('/');
    return (
      otherMethod === method &&
      theirs.length === parts.length &&
      theirs.every((part, index) => isParameter(part) || part === parts[index]) &&
      // Where the route has a parameter, theirs has the very word.
      theirs.some((part, index) => !isParameter(part) && isParameter(own[index] ?? ''))
    );
  });
  return found?.[0];
}

const isParameter = (part: string): boolean => part.startsWith('{');
