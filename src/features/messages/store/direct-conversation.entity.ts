import { Entity, ForeignKey, Index, PrimaryColumn, Column, PrimaryGeneratedColumn } from 'typeorm';
import { Account } from '../../users/users.module';

/**
 * A direct message conversation. `membersKey` finds it by its people: their ascending IDs joined by commas, or a
 * digest of that where it is long.
 */
@Entity('direct_conversation')
@Index('ix_direct_conversation_members_key', ['membersKey'], { unique: true })
export class DirectConversation {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @Column('text', { name: 'members_key' })
  membersKey!: string;

  @Column('integer', { name: 'max_message_id' })
  maxMessageId!: number;
}

/** A person in a direct message conversation. */
@Entity('direct_conversation_member')
@Index('ix_direct_conversation_member_user_id', ['userId'])
export class DirectConversationMember {
  @ForeignKey(() => DirectConversation)
  @PrimaryColumn('integer', { name: 'conversation_id' })
  conversationId!: number;

  @ForeignKey(() => Account)
  @PrimaryColumn('integer', { name: 'user_id' })
  userId!: number;
}
