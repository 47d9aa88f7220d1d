import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Account } from '../../../users/users.module';

/** A person that a company directory manages; other directories no longer have access. */
@Entity('scim_person')
@Index('ix_scim_person_directory_external_id', ['directory', 'externalId'])
export class ScimPerson {
  @ForeignKey(() => Account)
  @PrimaryColumn('integer', { name: 'user_id' })
  userId!: number;

  /** Name of the directory. */
  @Column('text')
  directory!: string;

  /** The directory's ID for the person; null if it sent none. */
  @Column('text', { name: 'external_id', nullable: true })
  externalId!: string | null;

  /** The directory's user name for the person if it is not an email address; null if it is the account's address. */
  @Column('text', { name: 'user_name', nullable: true })
  userName!: string | null;
}
