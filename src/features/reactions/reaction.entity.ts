import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Message } from '../messages/messages.module';
import { Account } from '../users/users.module';

/** A person's reaction to a message. Later ones have greater IDs. */
@Entity('reaction')
@Index(
  'ix_reaction_message_id_emoji_type_emoji_code_user_id',
  ['messageId', 'emojiType', 'emojiCode', 'userId'],
  {
    unique: true,
  },
)
export class Reaction {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @ForeignKey(() => Message)
  @Column('integer', { name: 'message_id' })
  messageId!: number;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'user_id' })
  userId!: number;

  /** See EmojiType. */
  @Column('text', { name: 'emoji_type' })
  emojiType!: string;

  @Column('text', { name: 'emoji_code' })
  emojiCode!: string;

  /** One of the names of the emoji, the same for everyone who reacted with it to the message. */
  @Column('text', { name: 'emoji_name' })
  emojiName!: string;
}
