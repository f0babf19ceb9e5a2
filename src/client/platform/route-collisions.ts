// Detects an id that makes the address of another operation: the file `tags` has the address of the list of all tags.
// Pure; routes are compared segment by segment.
import type { Route } from '../../protocol/route.ts';

/** The operation of `all` that would be called instead of `route`, if the address matches one. */
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
      // The other route has a literal segment where this route has a parameter.
      theirs.some((part, index) => !isParameter(part) && isParameter(own[index] ?? ''))
    );
  });
  return found?.[0];
}

const isParameter = (part: string): boolean => part.startsWith('{');
