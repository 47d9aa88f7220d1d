import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Account } from '../../users/users.module';

/** The status of a person: a text, an emoji, or both. People without a row have none. */
@Entity('user_status')
export class UserStatus {
  @ForeignKey(() => Account)
  @PrimaryColumn('integer', { name: 'user_id' })
  userId!: number;

  @Column('text', { name: 'status_text' })
  text!: string;

  /** Empty without an emoji, like the next two. */
  @Column('text', { name: 'emoji_name' })
  emojiName!: string;

  @Column('text', { name: 'emoji_code' })
  emojiCode!: string;

  /** See EmojiType. */
  @Column('text', { name: 'emoji_type' })
  emojiType!: string;
}
