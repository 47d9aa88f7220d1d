import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Account } from '../accounts/account.entity';

/** Where an outgoing webhook or embedded bot is reached, and its configuration. */
@Entity('bot_service')
export class BotService {
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
