// Whether a member has signed in in this browser, as far as its pages know: the cookie of the session is hidden from scripts, and a
// request without one would be reported as an error of the page.
const key = 'platform-member';

/** Remembers that a member has signed in, or that the session has ended. */
export function rememberSignedIn(isSignedIn: boolean): void {
  try {
    if (isSignedIn) localStorage.setItem(key, 'signed in');
    else localStorage.removeItem(key);
  } catch {
    // Blocked: the other pages ask the member to sign in.
  }
}

export function mayBeSignedIn(): boolean {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}
