import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** The people of a direct message conversation; `membersKey` is their ascending IDs joined by commas. */
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
