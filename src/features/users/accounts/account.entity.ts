import { Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import type { Role } from '../../../platform/actor';

/** A person or a bot. One row per account; bots are accounts with `isBot`. */
@Entity('account')
@Index('ix_account_email_key', ['emailKey'], { unique: true })
@Index('ix_account_bot_owner_id', ['botOwnerId'])
export class Account {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  /** The real address, as given except for a lower-case domain. */
  @Column('text', { name: 'delivery_email' })
  deliveryEmail!: string;

  /** `deliveryEmail` in lower case; unique. */
  @Column('text', { name: 'email_key' })
  emailKey!: string;

  @Column('text', { name: 'full_name' })
  fullName!: string;

  @Column('integer')
  role!: Role;

  @Column('boolean', { name: 'is_active' })
  isActive!: boolean;

  @Column('boolean', { name: 'is_bot' })
  isBot!: boolean;

  /**
   * Whether this is the notification, welcome or email gateway bot: these have no key and appear in no list or lookup.
   */
  @Column('boolean', { name: 'is_system_bot' })
  isSystemBot!: boolean;

  @Column('integer', { name: 'bot_type', nullable: true })
  botType!: number | null;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'bot_owner_id', nullable: true })
  botOwnerId!: number | null;

  /** argon2id; null for bots and for accounts that cannot sign in with a password. */
  @Column('text', { name: 'password_hash', nullable: true })
  passwordHash!: string | null;

  /** 128 random bits in hex; the API key is derived from them and never stored. */
  @Column('text', { name: 'key_nonce' })
  keyNonce!: string;

  /** UNIX seconds. */
  @Column('bigint', { name: 'date_joined' })
  dateJoined!: number;

  /**
   * Set for accounts created through the API or an import, until the first sign-in, which then becomes `dateJoined`.
   */
  @Column('boolean', { name: 'awaits_first_login' })
  awaitsFirstLogin!: boolean;

  /** IANA name or empty. */
  @Column('text')
  timezone!: string;

  /** `G` external provider, `J` generated from the account ID, `U` uploaded. */
  @Column('text', { name: 'avatar_source' })
  avatarSource!: string;

  /** Name of the avatar's files, 40 random hex digits; null if `avatarSource` is `G`. */
  @Column('text', { name: 'avatar_key', nullable: true })
  avatarKey!: string | null;

  /** Incremented with every change of the avatar. */
  @Column('integer', { name: 'avatar_version' })
  avatarVersion!: number;

  /** Who sees the real address: 1 everyone, 2 members, 5 moderators, 3 administrators, 4 nobody. */
  @Column('integer', { name: 'email_visibility' })
  emailVisibility!: number;

  @Column('boolean', { name: 'is_imported_stub' })
  isImportedStub!: boolean;

  @Column('boolean', { name: 'is_deleted' })
  isDeleted!: boolean;

  @Column('boolean', { name: 'can_create_users' })
  canCreateUsers!: boolean;

  /** Personal settings that differ from their defaults, as a JSON object. */
  @Column('text')
  settings!: string;

  /** Names of the personal settings that the person changed themselves, as a JSON array. */
  @Column('text', { name: 'edited_settings', default: '[]' })
  editedSettings!: string;

  @Column('integer', { name: 'default_sending_channel_id', nullable: true })
  defaultSendingChannelId!: number | null;

  @Column('integer', { name: 'default_events_channel_id', nullable: true })
  defaultEventsChannelId!: number | null;

  @Column('boolean', { name: 'default_all_public_channels' })
  defaultAllPublicChannels!: boolean;
}

/** The URL of an outgoing webhook bot, or the service of an embedded bot, and its configuration. */
@Entity('bot_service')
export class BotEndpoint {
  @ForeignKey(() => Account)
  @PrimaryColumn('integer', { name: 'bot_id' })
  botId!: number;

  @Column('text')
  name!: string;

  @Column('text', { name: 'payload_url', nullable: true })
  payloadUrl!: string | null;

  @Column('text', { nullable: true })
  token!: string | null;

  @Column('integer')
  interface!: number;

  /** JSON object of strings. */
  @Column('text')
  config!: string;
}

/** One key of a bot's own storage. */
@Entity('bot_storage')
export class BotStorageEntry {
  @ForeignKey(() => Account)
  @PrimaryColumn('integer', { name: 'bot_id' })
  botId!: number;

  @PrimaryColumn('text')
  key!: string;

  @Column('text')
  value!: string;
}
