/** What other features use of this one. Nothing else of it is imported from outside. */
export { ReportsModule } from './reports.module';
