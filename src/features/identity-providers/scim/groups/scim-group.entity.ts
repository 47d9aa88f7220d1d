import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A user group that a company directory manages; directories have no access to other groups. */
@Entity('scim_group')
export class ScimGroup {
  @PrimaryColumn('integer', { name: 'group_id' })
  groupId!: number;

  /** Name of the directory. */
  @Column('text')
  directory!: string;

  /** The directory's ID for the group; null if it sent none. */
  @Column('text', { name: 'external_id', nullable: true })
  externalId!: string | null;
}
