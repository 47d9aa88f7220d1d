import type { AccountRecord, StartedSession } from '../../users';
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

/** The answer to a login. */
export function loginAnswer(account: AccountRecord, session: StartedSession): LoginAnswer {
  return {
    access_token: session.token,
    token_type: 'bearer',
    expires_in: session.seconds,
    user: personRecord(account),
  };
}
