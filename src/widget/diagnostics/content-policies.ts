// Observes violations of the page's content security policy.
export interface Refusal {
  /** The name of the directive in browsers: `connect-src`, `script-src-elem`, `trusted-types`. */
  directive: string;
  /** The address, or a keyword: `inline`, `trusted-types-policy`. */
  blocked: string;
}

export interface Policies {
  /** Finds the violation of a directive (`script-src` includes `script-src-elem`), for one address if it is passed. */
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
      // The event is a separate task, and may arrive after the blocked request has failed.
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
    // It is a keyword and not an address.
    return address;
  }
}
