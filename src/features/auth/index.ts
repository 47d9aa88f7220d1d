/** What other features use of this one. Nothing else of it is imported from outside. */
export { AuthModule } from './auth.module';
export { FirstSignInService } from './browser/first-sign-in.service';
export { chosenHomePagePort, type HomePage, homePagePort } from './auth.hooks';
