import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Caller } from '../../../../platform/actor';
import { Clock } from '../../../../platform/clock';
import type { ReadRepository } from '../../../../platform/database/read-source';
import { TransactionService } from '../../../../platform/database/transaction.service';
import { NONCE_LENGTH, SecretLinks, SIGNATURE_LENGTH } from '../../../../platform/secrets/secret-links';
import { AuditLog } from '../../../audit/audit.module';
import { ScimKey } from './scim-key.entity';
import { type NewScimKeyRecord, NoSuchScimKey, scimKeyRecord, TooManyScimKeys } from './scim-keys.api';

const PURPOSE = 'scim-keys';

const MAX_KEYS = 20;

/** Precision of the last use; a write for every request would cost more than the request. */
const USE_SECONDS = 300;

const KEY = new RegExp(`^parley-scim-(\\d{1,9})-([a-z2-7]{${SIGNATURE_LENGTH}})$`);

/** The part of the key's row that the key is made from. */
type Grounds = Pick<ScimKey, 'id' | 'nonce'>;

/** Creates, finds and revokes directory keys. Like API keys, they are derived; they belong to no account. */
@Injectable()
export class ScimKeys {
  constructor(
    @InjectRepository(ScimKey) private readonly keys: ReadRepository<ScimKey>,
    private readonly transactions: TransactionService,
    private readonly secrets: SecretLinks,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** All keys, oldest first. */
  list(): Promise<ScimKey[]> {
    return this.keys.find({ order: { id: 'ASC' }, take: MAX_KEYS });
  }

  /** @throws TooManyScimKeys */
  async make(by: Caller, directory: string): Promise<NewScimKeyRecord> {
    const row = await this.transactions.runExclusive(async (tx) => {
      if ((await tx.repository(ScimKey).count()) >= MAX_KEYS) throw new TooManyScimKeys();
      const made = await tx.repository(ScimKey).save({
        directory,
        nonce: SecretLinks.newNonce(),
        createdAt: this.clock.nowSeconds(),
        lastUsedAt: null,
      } as ScimKey);
      this.audit.record(tx, by, 'directory.key_made', { id: made.id }, { directory });
      return made;
    });
    const secret = this.secrets.signature(PURPOSE, groundsOf(row));
    return { ...scimKeyRecord(row), key: `parley-scim-${row.id}-${secret}` };
  }

  /** @throws NoSuchScimKey */
  async revoke(by: Caller, id: number): Promise<void> {
    await this.transactions.run(async (tx) => {
      const row = await tx.repository(ScimKey).findOneBy({ id });
      if (!row) throw new NoSuchScimKey();
      await tx.repository(ScimKey).delete({ id });
      this.audit.record(tx, by, 'directory.key_revoked', { id }, { directory: row.directory });
    });
  }

  /** Finds the row of a key and records its use; null if the key is invalid or revoked. */
  async find(given: string): Promise<ScimKey | null> {
    const [, id, secret] = KEY.exec(given) ?? [];
    if (id === undefined || secret === undefined) return null;
    const row = await this.keys.findOneBy({ id: Number(id) });
    // Compares for unknown IDs, too, so that both take the same time.
    const grounds = groundsOf(row ?? { id: 0, nonce: '0'.repeat(NONCE_LENGTH) });
    if (!this.secrets.matches(PURPOSE, grounds, secret) || !row) return null;
    await this.note(row);
    return row;
  }

  private async note({ id, lastUsedAt }: ScimKey): Promise<void> {
    const now = this.clock.nowSeconds();
    if (lastUsedAt !== null && now - lastUsedAt < USE_SECONDS) return;
    await this.transactions.run(async (tx) => {
      await tx.repository(ScimKey).update({ id }, { lastUsedAt: now });
    });
  }
}

function groundsOf({ id, nonce }: Grounds): string {
  return `${id} ${nonce}`;
}
