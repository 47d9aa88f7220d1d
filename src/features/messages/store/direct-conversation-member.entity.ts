import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { DirectConversation } from './direct-conversation.entity';
import { Account } from '../../users/users.module';

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
