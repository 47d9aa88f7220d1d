import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Channel } from './channel.entity';
import { Account } from '../../users/users.module';

/** The unguessable part of a channel's e-mail address, one per channel, asker and shown sender. */
@Entity('channel_email_address')
@Index('ix_channel_email_address_channel_id_user_id_sender_id', ['channelId', 'userId', 'senderId'], {
  unique: true,
})
export class ChannelEmailAddress {
  @PrimaryColumn('text')
  token!: string;

  @ForeignKey(() => Channel)
  @Column('integer', { name: 'channel_id' })
  channelId!: number;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'user_id' })
  userId!: number;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'sender_id' })
  senderId!: number;
}
