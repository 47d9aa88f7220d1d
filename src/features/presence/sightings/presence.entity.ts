import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Account } from '../../users/users.module';

/** When a person was last online, as of the last write from memory. */
@Entity('presence')
@Index('ix_presence_update_id', ['updateId'])
export class Presence {
  @ForeignKey(() => Account)
  @PrimaryColumn('integer', { name: 'user_id' })
  userId!: number;

  /** UNIX seconds; null for a person whose clients were never more than idle. */
  @Column('bigint', { name: 'active_at', nullable: true })
  activeAt!: number | null;

  /** UNIX seconds of the last sign of any client, idle or not. */
  @Column('bigint', { name: 'connected_at' })
  connectedAt!: number;

  /** Increases with every change of any row: see PresenceDirectory. */
  @Column('bigint', { name: 'update_id' })
  updateId!: number;
}
