import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
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
