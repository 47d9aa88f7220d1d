import { Injectable } from '@nestjs/common';
import { SecretLinks } from './secret-links';

const PURPOSE = 'csrf-tokens';

/**
 * What a page of this server sends beside the cookie of its session, which other sites can have sent as well but not
 * read. A token follows from the session: it is the same on all nodes, stays the same, and ends with it.
 */
@Injectable()
export class CsrfTokens {
  constructor(private readonly secrets: SecretLinks) {}

  /** @param sessionId names the session, as the cookie does */
  tokenFor(sessionId: string): string {
    return this.secrets.signature(PURPOSE, sessionId);
  }

  /** Whether a token is that of the session, under the secret in use or the one before it. */
  matches(sessionId: string, given: string): boolean {
    return this.secrets.matches(PURPOSE, sessionId, given);
  }
}
