import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A user group that the directory of a company keeps. Other groups are none of its business. */
@Entity('scim_group')
export class ScimGroup {
  @PrimaryColumn('integer', { name: 'group_id' })
  groupId!: number;

  /** Name of the directory. */
  @Column('text')
  directory!: string;

  /** The directory's own ID for the group; null where it gave none. */
  @Column('text', { name: 'external_id', nullable: true })
  externalId!: string | null;
}
