/** What other features use of this one. Nothing else of it is imported from outside. */
export { MovingModule } from './moving.module';
