/** The product's logo, in the accent color. */
export function Mark({ size = 22 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 22 22" aria-hidden="true" style={{ flex: 'none' }}>
      <rect width="22" height="22" rx="6" fill="var(--accent)" />
      <rect x="6.5" y="6.5" width="9" height="9" rx="1.5" fill="none" stroke="var(--on-accent)" strokeWidth="2" />
    </svg>
  );
}
