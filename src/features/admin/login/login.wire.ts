import type { AccountRecord } from '../../users';
import { personRecord, type PersonRecord } from '../people/person.wire';

/** What somebody gets who signs in. */
export interface LoginAnswer {
  /** Goes into the header `Authorization: Bearer ...` of further requests. */
  access_token: string;
  token_type: 'bearer';
  /** Seconds. */
  expires_in: number;
  user: PersonRecord;
}

/** @param token the signed token, and for how many seconds it works */
export function loginAnswer(
  account: AccountRecord,
  token: { readonly text: string; readonly seconds: number },
): LoginAnswer {
  return {
    access_token: token.text,
    token_type: 'bearer',
    expires_in: token.seconds,
    user: personRecord(account),
  };
}
