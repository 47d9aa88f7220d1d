import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Account } from '../../users/users.module';
import type { ExportTypeName } from './archive/export-context';

/** An archive of the organization that an administrator requested. Rows stay when the archive is deleted. */
@Entity('organization_export')
@Index('ix_organization_export_requested_at', ['requestedAt'])
export class OrganizationExport {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'requester_id' })
  requesterId!: number;

  @Column('text')
  type!: ExportTypeName;

  /** File name: 32 random hex digits. */
  @Column('text', { name: 'file_key' })
  fileKey!: string;

  /** UNIX seconds, like the three times below. */
  @Column('bigint', { name: 'requested_at' })
  requestedAt!: number;

  @Column('bigint', { name: 'succeeded_at', nullable: true })
  succeededAt!: number | null;

  @Column('bigint', { name: 'failed_at', nullable: true })
  failedAt!: number | null;

  @Column('bigint', { name: 'deleted_at', nullable: true })
  deletedAt!: number | null;

  /** Size in bytes; null until the export has succeeded. */
  @Column('bigint', { nullable: true })
  size!: number | null;
}
