import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { Way } from '../../platform/actor';
import type { AuditAction } from './audit-actions';

/** An action recorded for later review. Rows are written once and never changed. */
@Entity('audit_entry')
@Index('ix_audit_entry_actor_id_id', ['actorId', 'id'])
@Index('ix_audit_entry_target_user_id_id', ['targetUserId', 'id'])
@Index('ix_audit_entry_action_target_id_id', ['action', 'targetId', 'id'])
@Index('ix_audit_entry_created_at', ['createdAt'])
export class AuditEntry {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  /** UNIX seconds. */
  @Column('bigint', { name: 'created_at' })
  createdAt!: number;

  /** The interface that the request used. */
  @Column('text')
  way!: Way;

  /** IP address of the client; empty if there was none, or after it was erased. */
  @Column('text')
  address!: string;

  /** Name of the client program; empty after it was erased. */
  @Column('text', { name: 'client_name' })
  clientName!: string;

  /** Account that acted; null for the operator, for the server itself, and for people who are not signed in. */
  @ForeignKey('account')
  @Column('integer', { name: 'actor_id', nullable: true })
  actorId!: number | null;

  @Column('text')
  action!: AuditAction;

  /** Affected account. */
  @ForeignKey('account')
  @Column('integer', { name: 'target_user_id', nullable: true })
  targetUserId!: number | null;

  /** Affected object, of the kind in the action. */
  @Column('integer', { name: 'target_id', nullable: true })
  targetId!: number | null;

  /** A JSON object of limited size. */
  @Column('text')
  details!: string;
}
