import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Account } from '../accounts/account.entity';

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
