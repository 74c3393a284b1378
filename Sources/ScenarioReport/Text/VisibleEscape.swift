/// Writes a character that must not stand in a report as itself, such as `\x{1B}`.
///
/// Unlike leaving the character out, this keeps the evidence.
func visibleEscape(_ scalar: Unicode.Scalar) -> String {
  let digits = String(scalar.value, radix: 16, uppercase: true)
  return digits.count < 2 ? "\\x{0\(digits)}" : "\\x{\(digits)}"
}
