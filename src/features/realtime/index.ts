/** What other features use of this one. Nothing else of it is imported from outside. */
export { RealtimeModule } from './realtime.module';
export { RegisterService } from './registration/register.service';
export { ServerStartService } from './server-start.service';
