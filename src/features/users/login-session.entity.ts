import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Account } from './account.entity';

/** Somebody is signed in to the companion interface. The token that names the session works as long as this row. */
@Entity('login_session')
@Index('ix_login_session_user_id', ['userId'])
@Index('ix_login_session_expires_at', ['expiresAt'])
export class LoginSession {
  /** 128 random bits in hex. */
  @PrimaryColumn('text')
  id!: string;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'user_id' })
  userId!: number;

  /** UNIX seconds. */
  @Column('bigint', { name: 'expires_at' })
  expiresAt!: number;
}
