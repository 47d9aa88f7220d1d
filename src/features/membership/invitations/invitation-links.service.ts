import { Injectable } from '@nestjs/common';
import { Config } from '../../../platform/config/config';
import { NONCE_LENGTH, SecretLinks, SIGNATURE_LENGTH } from '../../../platform/secrets/secret-links';
import type { Queryable } from '../../../platform/sql/queryable';
import { Invitation } from './invitation.entity';

const PURPOSE = 'invitations';
const KEY = new RegExp(`^[a-z2-7]{${NONCE_LENGTH + SIGNATURE_LENGTH}}$`);

/** The links with which people join. Their keys name the invitation, and prove that the server gave them out. */
@Injectable()
export class InvitationLinks {
  constructor(
    private readonly links: SecretLinks,
    private readonly config: Config,
  ) {}

  urlOf({ nonce }: Pick<Invitation, 'nonce'>): string {
    return `${this.config.externalUrl}/join/${nonce}${this.links.signature(PURPOSE, nonce)}/`;
  }

  /** The invitation with this key in any state; null if the key was never issued. */
  async find(db: Queryable, key: string): Promise<Invitation | null> {
    if (!KEY.test(key)) return null;
    const nonce = key.slice(0, NONCE_LENGTH);
    if (!this.links.matches(PURPOSE, nonce, key.slice(NONCE_LENGTH))) return null;
    return db.repository(Invitation).findOneBy({ nonce });
  }
}
