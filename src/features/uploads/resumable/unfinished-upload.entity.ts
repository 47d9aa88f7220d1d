import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Account } from '../../users/users.module';

/** A file that arrives in parts. The row is deleted when the last part has arrived. */
@Entity('unfinished_upload')
@Index('ix_unfinished_upload_owner_id', ['ownerId'])
@Index('ix_unfinished_upload_touched_at', ['touchedAt'])
export class UnfinishedUpload {
  /** The unguessable part of its URL. */
  @PrimaryColumn('text')
  id!: string;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'owner_id' })
  ownerId!: number;

  @Column('text', { name: 'file_name' })
  fileName!: string;

  /** As claimed by the client. */
  @Column('text', { name: 'content_type' })
  contentType!: string;

  /** Names of the files with the parts, in order and separated by commas. */
  @Column('text')
  pieces!: string;

  /** Size of the whole file in bytes. */
  @Column('bigint')
  length!: number;

  /** Bytes received so far, all of them in parts. */
  @Column('bigint')
  received!: number;

  /** When the last part arrived or the upload started, in UNIX milliseconds. */
  @Column('bigint', { name: 'touched_at' })
  touchedAt!: number;
}
