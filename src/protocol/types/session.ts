// Generated from src/protocol/schemas/session.ts by type-modules.test.ts (`npm run generate`). Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated
import type { Member } from './admin.ts';
import type { Permission } from '../permissions.ts';

/** A browser in which a member has signed in. */
export interface Session {
  id: string;
  createdAt: string;
  /** The last request, to the minute. */
  seenAt: string;
  /** When it ends, if it is used until then. Without a request it ends after 12 hours. */
  expiresAt: string;
  /** How the member has signed in. */
  method: 'password' | 'link' | 'oidc';
  /** The `User-Agent` header of the browser. */
  userAgent: string;
  /** The IP address at the sign-in; of IPv6 its /64 network. Absent if it is unknown. */
  network?: string;
  /** Whether it is the session of the request. */
  isCurrent: boolean;
}

/** The member who has signed in, with their permissions. */
export interface SignedIn {
  session: Session;
  member: Member;
  workspace: { id: string; name: string };
  principal:
    | 'bot'
    | 'integration'
    | 'viewer'
    | 'billing'
    | 'support'
    | 'developer'
    | 'manager'
    | 'administrator'
    | 'owner'
    | 'operator';
  permissions: Permission[];
  /** Whether the member can sign in with a password. */
  hasPassword: boolean;
}

/** The ways to sign in that the server offers. */
export interface SignInOptions {
  password: boolean;
  /** One-time links by e-mail. */
  link: boolean;
  /** The name of another service (OpenID Connect). */
  oidc?: string;
}
