/** What other features use of this one. Nothing else of it is imported from outside. */
export { WelcomeModule } from './welcome.module';
export { WelcomeService } from './welcome.service';
