import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Account } from '../users/users.module';

/** An address that a person can answer a notification mail to. It is a credential, so only its hash is stored. */
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

  /** SHA-256 of the token with the API key of the person: a new key ends the address. */
  @Column('text', { name: 'key_mark' })
  keyMark!: string;

  /** In whose name the answer is posted. */
  @ForeignKey(() => Account)
  @Column('integer', { name: 'user_id' })
  userId!: number;

  /** The message that is answered. */
  @Column('integer', { name: 'message_id' })
  messageId!: number;

  /** UNIX milliseconds. */
  @Column('bigint', { name: 'created_at' })
  createdAt!: number;
}

/**
 * A mail that was accepted. Mail servers deliver again when they miss the answer, so the row stays for a week; the mail
 * itself, in `received_mail_content`, only until it is posted.
 */
@Entity('received_mail')
@Index('ix_received_mail_digest', ['digest'], { unique: true })
@Index('ix_received_mail_user_id', ['userId'])
@Index('ix_received_mail_received_at', ['receivedAt'])
export class ReceivedMail {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  /** SHA-256 of the target and the mail as it arrived, in hex. */
  @Column('text')
  digest!: string;

  /** `channel:` and the token in the address, or `reply:` and the hash of that. */
  @Column('text')
  target!: string;

  /** Options in the address, separated by spaces. */
  @Column('text')
  options!: string;

  /** Who made the address: the person with the rights that the mail is posted with. */
  @ForeignKey(() => Account)
  @Column('integer', { name: 'user_id' })
  userId!: number;

  /** UNIX milliseconds. */
  @Column('bigint', { name: 'received_at' })
  receivedAt!: number;
}
