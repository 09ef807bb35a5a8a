# Loads and tries what people use first, so that every context starts with it in its base image.
#
# Only at boot. Leaves no name and no file behind.

module Torpor
  module Warmup
    LIBRARIES = %w[json set time date stringio].freeze

    def self.run
      LIBRARIES.each { |name| require name }
      ::GC.start
    end
  end
end
