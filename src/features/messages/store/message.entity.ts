import { Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { Channel, Topic } from '../../channels/channels.module';
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

/**
 * A set of people that messages mention together, such as the members of a group. Stored once for all messages
 * that mention the same people, so that mentioning a large group costs no row for each member.
 */
@Entity('mention_set')
@Index('ix_mention_set_hash', ['hash'], { unique: true })
export class MentionSet {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  /** Of the members: finds the set again. */
  @Column('text')
  hash!: string;
}

/** A person in a set of mentioned people. */
@Entity('mention_set_member')
@Index('ix_mention_set_member_set_id', ['setId'])
export class MentionSetMember {
  @ForeignKey(() => Account)
  @PrimaryColumn('integer', { name: 'user_id' })
  userId!: number;

  @ForeignKey(() => MentionSet)
  @PrimaryColumn('integer', { name: 'set_id' })
  setId!: number;
}

/** A message. Channel messages have `channelId` and `topicId`, direct ones `conversationId`. */
@Entity('message')
@Index('ix_message_channel_id_id', ['channelId', 'id'])
@Index('ix_message_sent_channel_id_id', ['sentChannelId', 'id'], { where: 'sent_channel_id IS NOT NULL' })
@Index('ix_message_topic_id_id', ['topicId', 'id'])
@Index('ix_message_conversation_id_id', ['conversationId', 'id'])
@Index('ix_message_sender_id_id', ['senderId', 'id'])
@Index('ix_message_mentions', ['id'], {
  where: '(facts & 1) <> 0 OR group_mention_set_id IS NOT NULL OR topic_mention_set_id IS NOT NULL',
})
@Index('ix_message_links', ['id'], { where: '(facts & 4) <> 0' })
@Index('ix_message_images', ['id'], { where: '(facts & 8) <> 0' })
@Index('ix_message_attachments', ['id'], { where: '(facts & 16) <> 0' })
@Index('ix_message_reactions', ['id'], { where: '(facts & 64) <> 0' })
export class Message {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'sender_id' })
  senderId!: number;

  /** The channel it is in now: decides access. */
  @ForeignKey(() => Channel)
  @Column('integer', { name: 'channel_id', nullable: true })
  channelId!: number | null;

  /**
   * The channel it was sent to, which decides who received it, where that is not the one it is in now; 0 where rows of
   * people say who did.
   */
  @Column('integer', { name: 'sent_channel_id', nullable: true })
  sentChannelId!: number | null;

  @ForeignKey(() => Topic)
  @Column('integer', { name: 'topic_id', nullable: true })
  topicId!: number | null;

  @ForeignKey(() => DirectConversation)
  @Column('integer', { name: 'conversation_id', nullable: true })
  conversationId!: number | null;

  @Column('text')
  content!: string;

  @Column('text', { name: 'rendered_content' })
  renderedContent!: string;

  @Column('text', { name: 'client_name' })
  clientName!: string;

  /** UNIX seconds. */
  @Column('bigint', { name: 'sent_at' })
  sentAt!: number;

  @Column('bigint', { name: 'last_edited_at', nullable: true })
  lastEditedAt!: number | null;

  @Column('bigint', { name: 'last_moved_at', nullable: true })
  lastMovedAt!: number | null;

  /** Bits: see message-flags.ts. */
  @Column('integer')
  facts!: number;

  /** The people mentioned through groups, as their members were at sending. */
  @ForeignKey(() => MentionSet)
  @Column('integer', { name: 'group_mention_set_id', nullable: true })
  groupMentionSetId!: number | null;

  /** The people a topic wildcard mentions: participants of the topic at the time of sending. */
  @ForeignKey(() => MentionSet)
  @Column('integer', { name: 'topic_mention_set_id', nullable: true })
  topicMentionSetId!: number | null;
}

/** Flags of one person on one message, only where they differ from what the message itself says. */
@Entity('message_flag')
@Index('ix_message_flag_message_id', ['messageId'])
export class MessageFlag {
  @ForeignKey(() => Account)
  @PrimaryColumn('integer', { name: 'user_id' })
  userId!: number;

  @ForeignKey(() => Message)
  @PrimaryColumn('integer', { name: 'message_id' })
  messageId!: number;

  /** Bits: see message-flags.ts. */
  @Column('integer')
  flags!: number;
}

/** Which messages of one block of IDs a person has read. */
@Entity('read_block')
export class ReadBlock {
  @ForeignKey(() => Account)
  @PrimaryColumn('integer', { name: 'user_id' })
  userId!: number;

  @PrimaryColumn('integer')
  block!: number;

  /** Base64 of one bit a message. */
  @Column('text')
  bits!: string;
}

/** Everything up to this message ID counts as read by the person. */
@Entity('read_watermark')
export class ReadWatermark {
  @ForeignKey(() => Account)
  @PrimaryColumn('integer', { name: 'user_id' })
  userId!: number;

  @Column('integer', { name: 'message_id' })
  messageId!: number;
}

/** A submessage: a widget, or an action on it such as a vote. */
@Entity('submessage')
@Index('ix_submessage_message_id', ['messageId'])
export class Submessage {
  /** Later ones have greater IDs. */
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @ForeignKey(() => Message)
  @Column('integer', { name: 'message_id' })
  messageId!: number;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'sender_id' })
  senderId!: number;

  /** As clients put it; `widget` for all that is known. */
  @Column('text', { name: 'msg_type' })
  msgType!: string;

  /** JSON, as the client wrote it. */
  @Column('text')
  content!: string;
}
