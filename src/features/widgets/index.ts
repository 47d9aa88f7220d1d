/** What other features use of this one. Nothing else of it is imported from outside. */
export { WidgetsModule } from './widgets.module';
export { SubmessageRowsService } from './submessage-rows.service';
