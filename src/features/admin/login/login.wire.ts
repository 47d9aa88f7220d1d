import type { AccountRecord } from '../../users';
import { personRecord, type PersonRecord } from '../people/person.wire';

/** The answer to a login. */
export interface LoginAnswer {
  /** Belongs into the header `Authorization: Bearer ...` of further requests. */
  access_token: string;
  token_type: 'bearer';
  /** Seconds. */
  expires_in: number;
  user: PersonRecord;
}

/** A signed token, and for how many seconds it works. */
export interface IssuedToken {
  readonly text: string;
  readonly seconds: number;
}

/** The answer to a login. */
export function loginAnswer(account: AccountRecord, token: IssuedToken): LoginAnswer {
  return {
    access_token: token.text,
    token_type: 'bearer',
    expires_in: token.seconds,
    user: personRecord(account),
  };
}
