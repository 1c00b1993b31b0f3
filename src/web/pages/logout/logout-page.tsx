import { useEffect } from 'react';
import { leave } from '#web/leave.ts';

/** Drops the session and goes to the sign-in page; no request is sent (spec 4). */
export default function LogoutPage() {
  useEffect(leave, []);
  return <p role="status">Signing out …</p>;
}
