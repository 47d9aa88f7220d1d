import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One organization setting that differs from its default; `value` is JSON. */
@Entity('organization_setting')
export class OrganizationSetting {
  @PrimaryColumn('text')
  name!: string;

  @Column('text')
  value!: string;
}
