import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { Way } from '../../platform/actor';
import type { AuditAction } from './audit-actions';

/** Something that was done, to be looked up later. Rows are written once, and stay. */
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

  /** How the order came. */
  @Column('text')
  way!: Way;

  /** IP address of the client; empty for what did not come over the network, and where it was forgotten. */
  @Column('text')
  address!: string;

  /** Name of the client program; empty where it was forgotten. */
  @Column('text', { name: 'client_name' })
  clientName!: string;

  /** Account that did it; null for the operator, for the server itself, and for people who are not signed in. */
  @ForeignKey('account')
  @Column('integer', { name: 'actor_id', nullable: true })
  actorId!: number | null;

  @Column('text')
  action!: AuditAction;

  /** Account to which it was done. */
  @ForeignKey('account')
  @Column('integer', { name: 'target_user_id', nullable: true })
  targetUserId!: number | null;

  /** What it was done to, of the kind that the action says. */
  @Column('integer', { name: 'target_id', nullable: true })
  targetId!: number | null;

  /** A JSON object of limited size. */
  @Column('text')
  details!: string;
}
