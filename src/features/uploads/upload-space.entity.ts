import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Account } from '../users/users.module';

/** How much an account has uploaded of what is still there, as summing up its files would take ever longer. */
@Entity('upload_space')
export class UploadSpace {
  @ForeignKey(() => Account)
  @PrimaryColumn('integer', { name: 'user_id' })
  userId!: number;

  /** Never negative. */
  @Column('bigint')
  bytes!: number;
}
