import { Column, Entity, ForeignKey, PrimaryColumn, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Message } from '../messages/messages.module';
import { Account } from '../users/users.module';

/** An uploaded file. */
@Entity('attachment')
@Index('ix_attachment_path', ['path'], { unique: true })
@Index('ix_attachment_owner_id', ['ownerId'])
export class Attachment {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'owner_id' })
  ownerId!: number;

  /** The part of the address after `/user_uploads/`. */
  @Column('text')
  path!: string;

  @Column('text', { name: 'file_name' })
  fileName!: string;

  @Column('text', { name: 'content_type' })
  contentType!: string;

  /** Bytes. */
  @Column('bigint')
  size!: number;

  /** UNIX milliseconds. */
  @Column('bigint', { name: 'created_at' })
  createdAt!: number;
}

/** A message that links an attachment: everyone who reads the message may read the file. */
@Entity('attachment_message')
@Index('ix_attachment_message_message_id', ['messageId'])
export class AttachmentMessage {
  @ForeignKey(() => Attachment)
  @PrimaryColumn('integer', { name: 'attachment_id' })
  attachmentId!: number;

  @ForeignKey(() => Message)
  @PrimaryColumn('integer', { name: 'message_id' })
  messageId!: number;
}

/** What is known of an uploaded file that says it is a picture. */
@Entity('attachment_picture')
export class AttachmentPicture {
  @ForeignKey(() => Attachment)
  @PrimaryColumn('integer', { name: 'attachment_id' })
  attachmentId!: number;

  /** Pixels, as it is to be shown: upright. Zero where the file is no picture that the server can read. */
  @Column('integer')
  width!: number;

  @Column('integer')
  height!: number;

  @Column('boolean', { name: 'is_animated' })
  isAnimated!: boolean;

  /** The name of a large version, where browsers do not show files of its kind. */
  @Column('text', { nullable: true })
  transcoded!: string | null;

  /** Whether smaller versions are still to be made, are there, or are not to be had. */
  @Column('text')
  thumbnails!: 'waiting' | 'made' | 'none';

  /** What the smaller versions take together. */
  @Column('bigint')
  bytes!: number;
}

/** How much an account has uploaded of what is still there, as summing up its files would take ever longer. */
@Entity('upload_space')
export class UploadSpace {
  @ForeignKey(() => Account)
  @PrimaryColumn('integer', { name: 'user_id' })
  userId!: number;

  /** Never negative. */
  @Column('bigint')
  bytes!: number;
}
