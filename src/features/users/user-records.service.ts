import { Injectable } from '@nestjs/common';
import { AccountDirectory, type AccountRecord } from './account.directory';
import {
  seesDeliveryEmail,
  userRecord,
  type ProfileData,
  type UserRecord,
  type Viewer,
} from './user-record.wire';

/** What a caller asks for in records. */
export interface RecordOptions {
  /** Whether the client works out addresses of externally hosted pictures itself. */
  readonly clientGravatar: boolean;
}

/**
 * Builds user records (spec, User). A record depends on its viewer in two ways only, so its text is kept
 * for each of them: ten thousand records are then a matter of joining strings.
 */
@Injectable()
export class UserRecords {
  /** By account as it is now; a changed account is another object, and its old texts go with the old one. */
  private readonly texts = new WeakMap<AccountRecord, (string | undefined)[]>();

  constructor(private readonly accounts: AccountDirectory) {}

  record(viewer: Viewer, account: AccountRecord, { clientGravatar }: RecordOptions): UserRecord {
    return userRecord(account, this.accounts.apiEmail(account), {
      deliveryEmail: seesDeliveryEmail(viewer, account),
      clientGravatar,
    });
  }

  /**
   * The record as JSON text.
   * @param profileData values to add for people; leave it out to add nothing
   */
  json(
    viewer: Viewer,
    account: AccountRecord,
    options: RecordOptions & { profileData?: ReadonlyMap<number, ProfileData> },
  ): string {
    const text = this.text(viewer, account, options);
    if (!options.profileData || account.isBot) return text;
    const values = JSON.stringify(options.profileData.get(account.id) ?? {});
    return `${text.slice(0, -1)},"profile_data":${values}}`;
  }

  private text(viewer: Viewer, account: AccountRecord, options: RecordOptions): string {
    let variants = this.texts.get(account);
    if (!variants) this.texts.set(account, (variants = []));
    const variant = (seesDeliveryEmail(viewer, account) ? 2 : 0) + (options.clientGravatar ? 1 : 0);
    return (variants[variant] ??= JSON.stringify(this.record(viewer, account, options)));
  }
}
