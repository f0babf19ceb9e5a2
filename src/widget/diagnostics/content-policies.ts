// Observes violations of the page's content security policy. It sends no requests.

export interface Refusal {
  /** The directive as browsers name it: `connect-src`, `script-src-elem`, `trusted-types`. */
  directive: string;
  /** The address, or a keyword: `inline`, `trusted-types-policy`. */
  blocked: string;
}

export interface Policies {
  /** The refusal of this kind (`script-src` is `script-src-elem`, too), of this address where one is given. */
  refusal(directive: string, address?: string): Promise<Refusal | undefined>;
}

/** Observes until `signal` aborts. */
export function watchPolicies(signal: AbortSignal): Policies {
  const seen: Refusal[] = [];
  document.addEventListener(
    'securitypolicyviolation',
    ({ effectiveDirective, blockedURI, disposition }) => {
      // Report-only violations do not block anything.
      if (disposition !== 'report') seen.push({ directive: effectiveDirective, blocked: blockedURI });
    },
    { signal },
  );
  return {
    async refusal(directive, address) {
      // The event is a task of its own, and may come after what it is about has failed.
      await new Promise((resolve) => setTimeout(resolve, 20));
      return findRefusal(seen, directive, address);
    },
  };
}

/** Compares origins, because browsers report only the origin after a redirect. */
export function findRefusal(seen: readonly Refusal[], directive: string, address?: string) {
  const isAbout = ({ blocked }: Refusal) => address === undefined || originOf(blocked) === originOf(address);
  return seen.find((refusal) => refusal.directive.startsWith(directive) && isAbout(refusal));
}

function originOf(address: string): string {
  try {
    return new URL(address).origin;
  } catch {
    // A keyword instead of an address.
    return address;
  }
}
