import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Account } from '../users/users.module';

/** A sign-in with a provider that was completed in a browser and that the desktop app has yet to take over. */
@Entity('desktop_sign_in')
@Index('ix_desktop_sign_in_digest', ['digest'], { unique: true })
export class PendingDesktopSignIn {
  @PrimaryGeneratedColumn({ type: 'integer' })
  id!: number;

  @ForeignKey(() => Account)
  @Column('integer', { name: 'user_id' })
  userId!: number;

  /** SHA-256 of the token, in hex. */
  @Column('text')
  digest!: string;

  /** A `PendingSession`, as JSON. */
  @Column('text')
  grounds!: string;

  /** UNIX seconds. */
  @Column('bigint', { name: 'expires_at' })
  expiresAt!: number;
}
