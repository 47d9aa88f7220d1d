import {
  type RecordOptions,
  unknownUserRecord,
  userRecord,
  withoutActivity,
  type ProfileData,
  type UserRecord,
} from './user-records.api';
import { Injectable } from '@nestjs/common';
import { AccountDirectory, type AccountRecord } from '../accounts/account.directory';
import { seesDeliveryEmail, type Viewer } from '../accounts/email-visibility';
import { ProfileDirectory } from './profile.directory';

/** What the texts of a list contain. */
interface TextOptions extends RecordOptions {
  /** Omits whether the account is active, because the list says so. */
  readonly withoutActivity?: boolean;
}

/** The JSON text of a record, and the profile in it. */
interface CachedText {
  readonly text: string;
  readonly profile: ProfileData | null;
}

/**
 * Builds user records. A record depends on its viewer in only two ways, so its text is cached for each of them: ten
 * thousand records are then a matter of joining strings.
 */
@Injectable()
export class UserRecords {
  /** By account record; a changed account is another object, and its old texts are collected with the old one. */
  private readonly texts = new WeakMap<AccountRecord, (CachedText | undefined)[]>();

  constructor(
    private readonly accounts: AccountDirectory,
    private readonly profiles: ProfileDirectory,
  ) {}

  record(viewer: Viewer, account: AccountRecord, options: RecordOptions): UserRecord {
    const record = userRecord(account, this.accounts.apiEmail(account), {
      deliveryEmail: seesDeliveryEmail(viewer, account),
      clientGravatar: options.clientGravatar,
    });
    const profile = this.profile(account, options);
    return profile ? { ...record, profile_data: profile } : record;
  }

  /** The record for a viewer who may know only that the account exists. */
  unknown({ id, isBot }: AccountRecord): UserRecord {
    return unknownUserRecord({ user_id: id, email: this.accounts.placeholderOf(id), is_bot: isBot });
  }

  /** The record as JSON text. */
  json(viewer: Viewer, account: AccountRecord, options: TextOptions): string {
    let variants = this.texts.get(account);
    if (!variants) this.texts.set(account, (variants = []));
    const profile = this.profile(account, options);
    const variant =
      (profile ? 8 : 0) +
      (options.withoutActivity ? 4 : 0) +
      (seesDeliveryEmail(viewer, account) ? 2 : 0) +
      (options.clientGravatar ? 1 : 0);
    let cached = variants[variant];
    if (cached?.profile !== profile) {
      variants[variant] = cached = { text: this.write(viewer, account, options), profile };
    }
    return cached.text;
  }

  private write(viewer: Viewer, account: AccountRecord, options: TextOptions): string {
    const record = this.record(viewer, account, options);
    return JSON.stringify(options.withoutActivity ? withoutActivity(record) : record);
  }

  /** Bots have no profile. */
  private profile(account: AccountRecord, { profileData }: RecordOptions): ProfileData | null {
    return profileData && !account.isBot ? this.profiles.of(account.id) : null;
  }
}
