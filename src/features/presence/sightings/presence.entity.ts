import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Account } from '../../users';

/** When a person was last there, as of the last time that memory was written down. */
@Entity('presence')
@Index('ix_presence_update_id', ['updateId'])
export class Presence {
  @ForeignKey(() => Account)
  @PrimaryColumn('integer', { name: 'user_id' })
  userId!: number;

  /** UNIX seconds; null for somebody whose clients only ever were idle. */
  @Column('bigint', { name: 'active_at', nullable: true })
  activeAt!: number | null;

  /** UNIX seconds of the last sign of any client, idle or not. */
  @Column('bigint', { name: 'connected_at' })
  connectedAt!: number;

  /** Rises with every change of any row: see PresenceDirectory. */
  @Column('bigint', { name: 'update_id' })
  updateId!: number;
}
