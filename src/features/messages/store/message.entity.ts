import { Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { Channel, Topic } from '../../channels/channels.module';
import { Account } from '../../users/users.module';

/**
 * A direct message conversation. `membersKey` identifies it by its participants: their ascending IDs joined by commas,
 * or a digest if that is too long.
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
 * A set of people whom messages mention together, such as the members of a group. Stored once for all messages that
 * mention the same people, so that mentioning a large group costs no row per member.
 */
@Entity('mention_set')
@Index('ix_mention_set_hash', ['hash'], { unique: true })
export class MentionSet {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  /** Hash of the members, to look the set up. */
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

  /** Its current channel, which determines access. */
  @ForeignKey(() => Channel)
  @Column('integer', { name: 'channel_id', nullable: true })
  channelId!: number | null;

  /**
   * The channel to which it was sent, which determines who received it, if it is not the current one; 0 if recipients
   * have rows instead.
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

  /** A bit set: see message-flags.ts. */
  @Column('integer')
  facts!: number;

  /** People mentioned through groups, by the membership at the time of sending. */
  @ForeignKey(() => MentionSet)
  @Column('integer', { name: 'group_mention_set_id', nullable: true })
  groupMentionSetId!: number | null;

  /** People mentioned by a topic wildcard: participants of the topic at the time of sending. */
  @ForeignKey(() => MentionSet)
  @Column('integer', { name: 'topic_mention_set_id', nullable: true })
  topicMentionSetId!: number | null;
}

/** One person's flags on a message, only if they differ from the defaults that the message implies. */
@Entity('message_flag')
@Index('ix_message_flag_message_id', ['messageId'])
export class MessageFlag {
  @ForeignKey(() => Account)
  @PrimaryColumn('integer', { name: 'user_id' })
  userId!: number;

  @ForeignKey(() => Message)
  @PrimaryColumn('integer', { name: 'message_id' })
  messageId!: number;

  /** A bit set: see message-flags.ts. */
  @Column('integer')
  flags!: number;
}

/** The messages of one block of IDs that a person has read. */
@Entity('read_block')
export class ReadBlock {
  @ForeignKey(() => Account)
  @PrimaryColumn('integer', { name: 'user_id' })
  userId!: number;

  @PrimaryColumn('integer')
  block!: number;

  /** Base64, with one bit per message. */
  @Column('text')
  bits!: string;
}

/** The ID up to which the person has read all messages. */
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
  /** Increases with time. */
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @ForeignKey(() => Message)
  @Column('integer', { name: 'message_id' })
  messageId!: number;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'sender_id' })
  senderId!: number;

  /** As sent by the client; all known types are `widget`. */
  @Column('text', { name: 'msg_type' })
  msgType!: string;

  /** JSON, as sent by the client. */
  @Column('text')
  content!: string;
}
