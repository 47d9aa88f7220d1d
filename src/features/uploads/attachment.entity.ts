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

  /** The part of the URL after `/user_uploads/`. */
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

/** The facts about an uploaded file that claims to be an image. */
@Entity('attachment_picture')
export class AttachmentPicture {
  @ForeignKey(() => Attachment)
  @PrimaryColumn('integer', { name: 'attachment_id' })
  attachmentId!: number;

  /** In pixels, with the orientation applied. Zero if the server cannot read the file as an image. */
  @Column('integer')
  width!: number;

  @Column('integer')
  height!: number;

  @Column('boolean', { name: 'is_animated' })
  isAnimated!: boolean;

  /** The name of a large version, for formats that browsers do not support. */
  @Column('text', { nullable: true })
  transcoded!: string | null;

  /** Whether thumbnails are pending, exist, or cannot be made. */
  @Column('text')
  thumbnails!: 'waiting' | 'made' | 'none';

  /** Total size of the thumbnails. */
  @Column('bigint')
  bytes!: number;
}

/** The total size of an account's existing uploads, since summing up its files would take longer and longer. */
@Entity('upload_space')
export class UploadSpace {
  @ForeignKey(() => Account)
  @PrimaryColumn('integer', { name: 'user_id' })
  userId!: number;

  /** Never negative. */
  @Column('bigint')
  bytes!: number;
}
