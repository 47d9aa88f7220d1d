import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Channel } from '../store/channel.entity';

/** A topic of a channel, kept up by sending, moving and deleting so that listing never scans messages. */
@Entity('topic')
@Index('ix_topic_channel_id_name_key', ['channelId', 'nameKey'], { unique: true })
@Index('ix_topic_channel_id_max_message_id', ['channelId', 'maxMessageId'])
@Index('ix_topic_name_key', ['nameKey'])
export class Topic {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @ForeignKey(() => Channel)
  @Column('integer', { name: 'channel_id' })
  channelId!: number;

  /** Spelling of the newest message. */
  @Column('text')
  name!: string;

  @Column('text', { name: 'name_key' })
  nameKey!: string;

  @Column('integer', { name: 'max_message_id' })
  maxMessageId!: number;

  @Column('integer', { name: 'message_count' })
  messageCount!: number;
}
