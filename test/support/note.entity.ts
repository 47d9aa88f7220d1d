import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A table that exists only in the contract suites. */
@Entity({ name: 'note' })
export class Note {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column('text')
  text!: string;
}
