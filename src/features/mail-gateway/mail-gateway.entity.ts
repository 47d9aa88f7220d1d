import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Account } from '../users/users.module';

/** An address for replies to a notification mail. It is a credential, so only its hash is stored. */
@Entity('reply_address')
@Index('ix_reply_address_token_hash', ['tokenHash'], { unique: true })
@Index('ix_reply_address_user_id', ['userId'])
@Index('ix_reply_address_message_id', ['messageId'])
export class ReplyAddress {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  /** SHA-256 of the token, in hex. */
  @Column('text', { name: 'token_hash' })
  tokenHash!: string;

  /** SHA-256 of the token with the person's API key, so that a new key invalidates the address. */
  @Column('text', { name: 'key_mark' })
  keyMark!: string;

  /** The sender of the reply. */
  @ForeignKey(() => Account)
  @Column('integer', { name: 'user_id' })
  userId!: number;

  /** The message that the reply refers to. */
  @Column('integer', { name: 'message_id' })
  messageId!: number;

  /** UNIX milliseconds. */
  @Column('bigint', { name: 'created_at' })
  createdAt!: number;
}

/**
 * An accepted mail. Mail servers that miss the reply deliver again, so the row is kept for a week; the mail itself, in
 * `received_mail_content`, only until it is posted.
 */
@Entity('received_mail')
@Index('ix_received_mail_digest', ['digest'], { unique: true })
@Index('ix_received_mail_user_id', ['userId'])
@Index('ix_received_mail_received_at', ['receivedAt'])
export class ReceivedMail {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  /** SHA-256 of the target and of the parts of the mail that are the same in every delivery, in hex. */
  @Column('text')
  digest!: string;

  /** `channel:` and the token in the address, or `reply:` and the hash of the token. */
  @Column('text')
  target!: string;

  /** Options in the address, separated by spaces. */
  @Column('text')
  options!: string;

  /** The person who created the address, and whose permissions apply to posting the mail. */
  @ForeignKey(() => Account)
  @Column('integer', { name: 'user_id' })
  userId!: number;

  /** UNIX milliseconds. */
  @Column('bigint', { name: 'received_at' })
  receivedAt!: number;
}
