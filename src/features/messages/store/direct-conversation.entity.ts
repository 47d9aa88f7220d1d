import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

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
