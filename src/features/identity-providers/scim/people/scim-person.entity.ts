import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Account } from '../../../users/users.module';

/** A person whom the directory of a company keeps: other directories do not see them any more. */
@Entity('scim_person')
@Index('ix_scim_person_directory_external_id', ['directory', 'externalId'])
export class ScimPerson {
  @ForeignKey(() => Account)
  @PrimaryColumn('integer', { name: 'user_id' })
  userId!: number;

  /** Name of the directory. */
  @Column('text')
  directory!: string;

  /** The directory's own ID for the person; null where it gave none. */
  @Column('text', { name: 'external_id', nullable: true })
  externalId!: string | null;

  /** The directory's name for the person where that is no address; null where it is the account's. */
  @Column('text', { name: 'user_name', nullable: true })
  userName!: string | null;
}
